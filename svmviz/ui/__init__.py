"""Streamlit's side of the app: descriptors become widgets, recipes become links, traces reach the
player. With pages/, player/ and app.py the only Streamlit importer.

What a visitor of the Playground looks at is one value, `st.session_state.visit` (`run.visit`); what
is cached across visitors is keyed by the recipe and never written to.
"""
