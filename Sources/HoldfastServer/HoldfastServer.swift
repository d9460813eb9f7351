public import HoldfastSync
