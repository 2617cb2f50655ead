"""svmviz: watch SVM solvers think. Page set-up, warm-up and navigation; nothing else."""

import streamlit as st

if __name__ == "__main__":  # the script of every page
    from svmviz.ui.jobs.background import surviving
    from svmviz.ui.shell.frame import shell
    from svmviz.ui.shell.menu import menu

    shell()
    with surviving():
        st.navigation(menu(), position="top").run()
else:  # imported by the server, before its port answers
    from deploy import door

    app = st.App(__file__, routes=door.ROUTES, middleware=door.MIDDLEWARE, lifespan=door.lifespan)
