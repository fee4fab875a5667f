// A trained model as Python holds it.
#pragma once

#include "perpend/api/model.h"
#include "py_table.h"

namespace perpend::python {

struct PyModel {
  TrainedModel model;
};

}  // namespace perpend::python
