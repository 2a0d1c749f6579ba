/* svg_file.c - a chart as a file of its own, with the style that it has in the page: see chart.h. */
#include "src/report/document/chart.h"
#include "src/report/document/html.h"

void svg_chart_file(FILE *f, const chart *c, int width, int height)
{
    fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\"><style>\n%s</style>\n",
            width, height, svg_style);
    svg_chart(f, c);
    fprintf(f, "</svg>\n");
}
