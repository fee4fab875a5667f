// The charts of a page on their own, for a notebook.
//
// A chart in a page is not complete: the page's script adds the data, the look and the width, and its style sheet adds
// the colours. Here each chart becomes a whole Vega-Lite specification with all of it inside, in the page's light
// colours. Python gives it to Altair, whose charts are such specifications.
#pragma once

#include <map>
#include <string>

#include "perpend/report/page.h"

namespace perpend {

// Returns specifications as JSON, by the id of the chart.
std::map<std::string, std::string> standalone_charts(const Page& page);

// Returns the colour of a variable of web/report.css, as in var(--ink), or the text itself when it names none.
std::string plain_colour(const std::string& text);

}  // namespace perpend
