"""placeholder while the page is written"""
import streamlit as st
st.write("x")
