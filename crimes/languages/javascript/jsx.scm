; JSX, for JavaScript and TSX.

[(jsx_element) (jsx_self_closing_element)] @markup
