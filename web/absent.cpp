// Stands in for the page when perpend is built without npm.
#include "perpend/report/assets.h"

namespace perpend {

Assets page_assets() { return {}; }

}  // namespace perpend
