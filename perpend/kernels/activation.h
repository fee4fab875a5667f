// The activation functions a hidden layer can have.
#pragma once

namespace perpend {

enum class Activation { relu, softplus, tanh, sigmoid };

}  // namespace perpend
