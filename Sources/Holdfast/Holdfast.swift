@_exported public import HoldfastStorage
