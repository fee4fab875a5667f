// The page of one model.
#pragma once

#include <string>

#include "perpend/records/model_view.h"
#include "perpend/report/page.h"

namespace perpend {

// With rows (ModelView::rows) the page shows everything. Without, it shows what the model file itself knows and the
// command that shows more. `title` is the method in words, `version` perpend's.
Page model_page(const ModelView& view, const std::string& title, const std::string& version);

// Parts that other pages share.
std::string count_word(std::size_t count);              // "three", "27"
std::string similarity_words(const Metric& grad_cos2);  // "lean on different columns near each row", ...
Markup disputed_rows(const RowsView& rows);
// "'ward' can stand in for 'sodium' and 'potassium': ...", one sentence per finding.
std::vector<std::string> substitute_sentences(const RowsView& rows);

}  // namespace perpend
