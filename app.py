"""The browser app: `streamlit run app.py`, or `kb serve`."""

from kb.web.app import main

main()
