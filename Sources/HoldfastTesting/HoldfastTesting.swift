import Holdfast
