// The app's own script: links inside the app change the page without loading it anew, copy buttons copy, `/` goes to
// the question box. Without it every link still works, as an ordinary one.
const INSIDE = /^(|glossary|rules|rulings|bench|import)$/;

function inside(link) {
  const here = window.location;
  const target = new URL(link.href, here.href);
  if (target.origin !== here.origin) return null;
  const base = here.pathname.replace(/[^/]*$/, "");
  if (!target.pathname.startsWith(base)) return null;
  return INSIDE.test(target.pathname.slice(base.length)) ? target : null;
}

// As if the browser's own forward button had led there: Streamlit draws what the address names, in the same session.
function go(target) {
  window.history.pushState({}, "", target);
  window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}

function reveal(id) {
  const target = id && document.getElementById(id);
  if (!target) return false;
  for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
  target.scrollIntoView({ block: "start" });
  return true;
}

function copied(button, done) {
  const words = button.dataset.words || button.textContent;
  button.dataset.words = words;
  button.textContent = done ? "Copied" : "Press Ctrl+C";
  window.setTimeout(() => { button.textContent = words; }, 1600);
}

// The clipboard's own interface exists on secure pages only: a phone on the table's network has none.
function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) {
    return navigator.clipboard.writeText(text).then(() => true, () => copyBySelection(text));
  }
  return Promise.resolve(copyBySelection(text));
}

function copyBySelection(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.style.cssText = "position:fixed;top:0;opacity:0";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

function onClick(event) {
  const button = event.target.closest("[data-copy],[data-copy-link]");
  if (button) {
    const link = button.dataset.copyLink;
    const text = link === undefined ? button.dataset.copy : new URL(link, window.location.href).href;
    copyText(text).then((done) => copied(button, done));
    return;
  }
  const opens = event.target.closest("[data-opens]");
  if (opens) {
    opens.setAttribute("aria-expanded", String(opens.getAttribute("aria-expanded") !== "true"));
    return;
  }
  const link = event.target.closest(":is(.stHtml, .st-key-picture) a[href]");
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target === "_blank") return;
  if ((link.getAttribute("href") || "").startsWith("#")) {
    event.preventDefault();
    reveal(link.getAttribute("href").slice(1));
    return;
  }
  const target = inside(link);
  if (target) {
    event.preventDefault();
    go(target);
  }
}

function onKey(event) {
  if (event.key === "Escape" && document.activeElement?.closest?.(".term")) document.activeElement.blur();
  const typing = event.target.closest?.("input,textarea,select,[contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const box = document.querySelector(".st-key-find input");
  if (box) {
    event.preventDefault();
    box.focus();
    box.select();
  }
}

// A definition that would leave the window on the right is moved back into it.
function onShow(event) {
  const tip = event.target.closest?.(".term")?.querySelector(".tip");
  if (!tip) return;
  tip.style.removeProperty("--shift");
  const over = tip.getBoundingClientRect().right - document.documentElement.clientWidth + 12;
  if (over > 0) tip.style.setProperty("--shift", `${-over}px`);
}

const FRAMES = 3600;

// Calls `act` as soon as `ready` holds, looking once a frame.
function when(ready, act, tries = FRAMES) {
  window.requestAnimationFrame(() => {
    if (ready()) act();
    else if (tries > 0) when(ready, act, tries - 1);
  });
}

// The page is there when its last part is, and no widget is still being loaded.
function isDrawn() {
  if (document.documentElement.dataset.drawn) return true;
  const last = document.querySelector(".foot") || document.querySelector('.nothing[role="status"]');
  return Boolean(last) && !document.querySelector('[data-testid="stSkeleton"]');
}

// A frame is painted hidden first: what moved until then, moved unseen.
function show() {
  const now = () => { document.documentElement.dataset.drawn = "yes"; };
  window.requestAnimationFrame(() => window.requestAnimationFrame(now));
}

// On a phone the games stand in one line: the chosen one is pushed into it.
function showChosen() {
  const chosen = document.querySelector('.chips a[aria-current], .st-key-game [aria-checked="true"]');
  const line = chosen?.parentElement;
  if (line && line.scrollWidth > line.clientWidth) line.scrollLeft = chosen.offsetLeft - line.offsetLeft - 16;
}

export default function (component) {
  const { data } = component;
  const wire = (window.kbWire ??= {});
  if (!wire.ready) {
    wire.ready = true;
    document.addEventListener("click", onClick);
    document.addEventListener("keydown", onKey);
    for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, onShow);
    document.documentElement.lang = "en";
  }
  if (data.place !== wire.place) {
    const first = wire.place === undefined;
    wire.place = data.place;
    if (data.to) when(() => isDrawn() && reveal(data.to), () => {});
    else if (!first) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
    when(isDrawn, () => {
      show();
      showChosen();
    });
    const box = () => document.documentElement.dataset.drawn && document.querySelector(".st-key-find input");
    if (data.focus && !("ontouchstart" in window)) when(box, () => box().focus({ preventScroll: true }));
  }
}
