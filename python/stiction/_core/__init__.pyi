# Written by python/make_stubs.py from the extension: do not edit.
from . import control as control
from . import geometry as geometry
from . import haptics as haptics
from . import identification as identification
from . import lab as lab
from . import planar as planar
from . import scalar as scalar
from . import sim as sim
from . import spatial as spatial

__version__: str
