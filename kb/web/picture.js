// Draws the neighbourhood of a term: names on the left that mention it, names on the right that it mentions.
const SVG = "http://www.w3.org/2000/svg";

function node(item) {
  const element = document.createElement(item.href ? "a" : "span");
  element.className = `node node-${item.kind}`;
  const words = document.createElement("span");
  words.textContent = item.label;
  element.title = item.label;
  element.append(words);
  if (item.href) element.href = item.href;
  return element;
}

function column(items, name, label) {
  const list = document.createElement("div");
  list.className = `column ${name}`;
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", label);
  for (const item of items) list.append(node(item));
  return list;
}

function line(from, to) {
  const path = document.createElementNS(SVG, "path");
  const half = (to.x - from.x) / 2;
  path.setAttribute("d", `M${from.x} ${from.y}C${from.x + half} ${from.y} ${to.x - half} ${to.y} ${to.x} ${to.y}`);
  return path;
}

function connect(root, svg) {
  const frame = root.getBoundingClientRect();
  const at = (element, side) => {
    const box = element.getBoundingClientRect();
    return { x: box[side] - frame.left, y: box.top + box.height / 2 - frame.top };
  };
  const centre = root.querySelector(".centre");
  svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  svg.replaceChildren(
    ...[...root.querySelectorAll(".left .node")].map((each) => line(at(each, "right"), at(centre, "left"))),
    ...[...root.querySelectorAll(".right .node")].map((each) => line(at(centre, "right"), at(each, "left"))),
  );
}

export default function ({ data, parentElement }) {
  const root = document.createElement("div");
  root.className = "picture";
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  const centre = document.createElement("strong");
  centre.className = "centre";
  centre.textContent = data.term;
  root.append(svg, column(data.left, "left", "Names it"), centre, column(data.right, "right", "Named by it"));
  parentElement.querySelector(".picture")?.remove();
  parentElement.append(root);
  const watch = new ResizeObserver(() => connect(root, svg));
  watch.observe(root);
  return () => watch.disconnect();
}
