/* SPDX-License-Identifier: GPL-3.0-or-later
 * markup.h - a strict reader of HTML and SVG: what a browser would repair is a fault here. */
#ifndef MARKUP_H
#define MARKUP_H
#include <stddef.h>

/* The first fault of a document or a piece of one, to be freed; NULL: there is none.  Every element is closed in order,
 * void elements alone stand without an end, a paragraph holds no block, a formula's <math> and a chart's <svg> may end
 * an element by "/>"; attributes are quoted, each once in an element; & begins a reference that HTML has; < begins a
 * tag; there are no control characters.  The texts of <script> and <style> are passed. */
char *markup_fault(const char *text);
#endif
