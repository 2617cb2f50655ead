"""What the pages of the papers compute: data, runs, figures as numbers, and what they say about a
claim.
"""
