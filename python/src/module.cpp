#include "core.h"

NB_MODULE(_core, m) {
  using namespace perpend::python;
  m.doc() = "The engine of perpend. Use the package perpend; this module may change without notice.";
  bind_base(m);
  bind_data(m);
  bind_store(m);
  bind_model(m);
  bind_evaluate(m);
  bind_options(m);
  bind_run(m);
  bind_report(m);
}
