// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --split-input-file --verify-diagnostics

// Every message of the layouts' parsers and verifiers, whole; then memrefs that a layout does not fit.

// Extents.

// expected-error-re @below {{{{^}}'extent' must be positive, got 0{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(0, 4) : (1@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}'extent' must be positive, got -4{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, -4) : (1@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}'extent' must be positive, got -9223372036854775808{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(-9223372036854775808, 4) : (1@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}'extent' must be positive, got 0{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(0, 4) : (4, 1)>}

// -----

// expected-error-re @below {{{{^}}'extent' must be positive, got -9223372036854775808{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(-9223372036854775808, 4) : (4, 1)>}

// -----

// expected-error-re @below {{{{^}}'extent' must be inside +-2147483647, got 2147483648{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(2147483648, 4) : (1@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}'extent' must be inside +-2147483647, got 9223372036854775807{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 9223372036854775807) : (4, 1)>}

// -----

// expected-error-re @below {{{{^}}integer value too large{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(99999999999999999999, 4) : (1@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}an extent in tensor memory cannot be '?'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(?, 4) : (1@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}only the leading extent may be '?'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, ?) : (4, 1)>}

// -----

// expected-error-re @below {{{{^}}only the leading extent may be '?'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<((16, ?), 4) : ((32, 4), 1)>}

// -----

// expected-error-re @below {{{{^}}only the leading extent may be '?'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(?, ?) : (4, 1)>}

// -----

// expected-error-re @below {{{{^}}expected an integer, got 'true'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(true, 4) : (1@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}expected an integer, got 'lanes'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(lanes, 4) : (1@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}expected integer value{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(1.5, 4) : (1@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}expected integer value{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, ) : (1@lane, 1@col)>}

// -----

// Modes.

// expected-error-re @below {{{{^}}expected integer value{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<((), 4) : ((), 1@col)>}

// -----

// expected-error-re @below {{{{^}}expected integer value{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, (2, ())) : (4, (1, 1))>}

// -----

// expected-error-re @below {{{{^}}expected '('{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<128 : 1@lane>}

// -----

// expected-error-re @below {{{{^}}expected '('{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<>}

// -----

// expected-error-re @below {{{{^}}expected ':'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4)>}

// -----

// expected-error-re @below {{{{^}}expected '>'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col) offset = (1@lane)>}

// -----

// expected-error-re @below {{{{^}}modes nest deeper than 16 levels{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(((((((((((((((((4))))))))))))))))) : (((((((((((((((((1@lane)))))))))))))))))>}

// -----

// expected-error-re @below {{{{^}}modes nest deeper than 16 levels{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(4, ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((4))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) : (1, 1)>}

// -----

// Strides.

// expected-error-re @below {{{{^}}strides must nest as the extents do: sub-modes per mode (1, 1), got (1){{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane)>}

// -----

// expected-error-re @below {{{{^}}strides must nest as the extents do: sub-modes per mode (2, 1), got (1, 1){{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<((2, 64), 4) : (1@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}strides must nest as the extents do: sub-modes per mode (1, 1), got (2){{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : ((4, 1))>}

// -----

// expected-error-re @below {{{{^}}strides must nest as the extents do: sub-modes per mode (), got (1){{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<() : (1)>}

// -----

// expected-error-re @below {{{{^}}expected '@lane' or '@col'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1, 1@col)>}

// -----

// expected-error-re @below {{{{^}}expected '@lane' or '@col', got '@row'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@row, 1@col)>}

// -----

// expected-error-re @below {{{{^}}expected integer value{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}expected ')'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (1@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}expected integer value{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (?, 1)>}

// -----

// expected-error-re @below {{{{^}}'stride' must be inside +-2147483647, got 2147483648{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (2147483648@lane, 1@col)>}

// -----

// expected-error-re @below {{{{^}}'stride' must be inside +-2147483647, got -9223372036854775808{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, -9223372036854775808@col)>}

// -----

// expected-error-re @below {{{{^}}'stride' must be inside +-2147483647, got -2147483648{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (4, -2147483648)>}

// -----

// Fields.

// expected-error-re @below {{{{^}}expected 'replicas' or 'offset', got 'swizzle'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), swizzle = 3>}

// -----

// expected-error-re @below {{{{^}}expected 'offset' or 'swizzle', got 'replicas'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (4, 1), replicas = (4) : (32)>}

// -----

// expected-error-re @below {{{{^}}expected 'replicas' or 'offset'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), 4>}

// -----

// expected-error-re @below {{{{^}}expected '='{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (4, 1), offset 4>}

// -----

// expected-error-re @below {{{{^}}'replicas' is given twice{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (4) : (32@lane), replicas = (2) : (64@lane)>}

// -----

// expected-error-re @below {{{{^}}'offset' is given twice{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), offset = (1@lane), replicas = (4) : (32@lane), offset = (1@lane)>}

// -----

// expected-error-re @below {{{{^}}'swizzle' is given twice{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (4, 1), swizzle = 3, swizzle = 3>}

// -----

// expected-error-re @below {{{{^}}'offset' is given twice{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (4, 1), offset = 0, swizzle = 3, offset = 4>}

// -----

// The offset.

// expected-error-re @below {{{{^}}'@lane' is given twice{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), offset = (1@lane, 2@lane)>}

// -----

// expected-error-re @below {{{{^}}'@col' is given twice{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), offset = (0@col, 0@lane, 0@col)>}

// -----

// expected-error-re @below {{{{^}}expected '('{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), offset = 16@col>}

// -----

// expected-error-re @below {{{{^}}expected '@lane' or '@col'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), offset = (16)>}

// -----

// expected-error-re @below {{{{^}}'offset' must be inside +-2147483647, got -2147483648{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), offset = (-2147483648@lane)>}

// -----

// expected-error-re @below {{{{^}}'offset' must be inside +-2147483647, got 9223372036854775807{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), offset = (0@lane, 9223372036854775807@col)>}

// -----

// expected-error-re @below {{{{^}}'offset' must be inside +-2147483647, got 2147483648{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (4, 1), offset = 2147483648>}

// -----

// expected-error-re @below {{{{^}}expected integer value{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (4, 1), offset = (4)>}

// -----

// expected-error-re @below {{{{^}}expected an integer, got 'true'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (4, 1), offset = true>}

// -----

// The swizzle.

// expected-error-re @below {{{{^}}'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 (128 bytes), got 4{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (4, 1), swizzle = 4>}

// -----

// expected-error-re @below {{{{^}}'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 (128 bytes), got -1{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (4, 1), swizzle = -1>}

// -----

// expected-error-re @below {{{{^}}'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 (128 bytes), got 9223372036854775807{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_layout<(128, 4) : (4, 1), swizzle = 9223372036854775807>}

// -----

// Replicas.

// expected-error-re @below {{{{^}}'extent' must be positive, got 0{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (0) : (32@lane)>}

// -----

// expected-error-re @below {{{{^}}'extent' must be positive, got -9223372036854775808{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (-9223372036854775808) : (32@lane)>}

// -----

// expected-error-re @below {{{{^}}an extent in tensor memory cannot be '?'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (?) : (32@lane)>}

// -----

// expected-error-re @below {{{{^}}expected ':'{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (4)>}

// -----

// expected-error-re @below {{{{^}}strides must nest as the extents do: sub-modes per mode (1, 1), got (1){{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2, 2) : (32@lane)>}

// -----

// expected-error-re @below {{{{^}}'replicas' must be distinct: offset (0@lane, 0@col) occurs twice{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (0@lane)>}

// -----

// expected-error-re @below {{{{^}}'replicas' must be distinct: offset (32@lane, 0@col) occurs twice{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2, 2) : (32@lane, 32@lane)>}

// -----

// expected-error-re @below {{{{^}}'replicas' must be distinct: offset (0@lane, 2@col) occurs twice{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (3, 3) : (1@col, 2@col)>}

// -----

// expected-error-re @below {{{{^}}'replicas' must be at most 65536, the cells of tensor memory, got (65537){{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (65537) : (1@col)>}

// -----

// expected-error-re @below {{{{^}}'replicas' must be at most 65536, the cells of tensor memory, got (2147483647, 9223372036854775807, 2, 2147483647){{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2, 2147483647, 2147483647, 9223372036854775807) : (1@col, 7@col, 1@lane, 5@lane)>}

// -----

// expected-error-re @below {{{{^}}'stride' must be inside +-2147483647, got 2147483648{{$}}}}
func.func private @f() attributes {a = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (2147483648@lane)>}

// -----

// The descriptor, whose values the copy judges.

// expected-error-re @below {{{{^}}'ldo' is given twice{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_desc<ldo = 16, ldo = 16>}

// -----

// expected-error-re @below {{{{^}}'swizzle' is given twice{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_desc<swizzle = 0, sdo = 16, swizzle = 0>}

// -----

// expected-error-re @below {{{{^}}expected 'ldo', 'sdo' or 'swizzle', got 'start'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_desc<start = 16>}

// -----

// expected-error-re @below {{{{^}}expected 'ldo', 'sdo' or 'swizzle'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_desc<16>}

// -----

// expected-error-re @below {{{{^}}expected '='{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_desc<ldo>}

// -----

// expected-error-re @below {{{{^}}expected an integer, got 'sdo'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_desc<ldo = sdo>}

// -----

// expected-error-re @below {{{{^}}expected an integer, got 'false'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_desc<ldo = false>}

// -----

// expected-error-re @below {{{{^}}expected integer value{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_desc<ldo = "16">}

// -----

// expected-error-re @below {{{{^}}integer value too large{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_desc<sdo = 99999999999999999999>}

// -----

// expected-error-re @below {{{{^}}expected '>'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_desc<ldo = 16 sdo = 128>}

// -----

// expected-error-re @below {{{{^}}expected 'ldo', 'sdo' or 'swizzle'{{$}}}}
func.func private @f() attributes {a = #tcgen05.smem_desc<ldo = 16,>}

// -----

// Memrefs. One mode per dimension, extents that agree.

// expected-error-re @below {{{{^}}the layout has 2 modes, the memref 1 dimensions{{$}}}}
func.func private @f(memref<128xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, 6>)

// -----

// expected-error-re @below {{{{^}}the layout has 1 modes, the memref 0 dimensions{{$}}}}
func.func private @f(memref<i32, #tcgen05.smem_layout<(4) : (1)>, 3>)

// -----

// expected-error-re @below {{{{^}}the layout has 2 modes, the memref 3 dimensions{{$}}}}
func.func private @f(memref<2x32x4xi32, #tcgen05.tmem_layout<((2, 32), 4) : ((64@lane, 1@lane), 1@col)>, 6>)

// -----

// expected-error-re @below {{{{^}}mode 1 of the layout has extent 4, dimension 1 of the memref 8{{$}}}}
func.func private @f(memref<128x8xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, 6>)

// -----

// expected-error-re @below {{{{^}}mode 0 of the layout has extent 64, dimension 0 of the memref 32{{$}}}}
func.func private @f(memref<32x4xi32, #tcgen05.tmem_layout<((2, 32), 4) : ((64@lane, 1@lane), 1@col)>, 6>)

// -----

// expected-error-re @below {{{{^}}mode 0 of the layout has extent 128, dimension 0 of the memref ?{{$}}}}
func.func private @f(memref<?x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, 6>)

// -----

// expected-error-re @below {{{{^}}mode 0 of the layout has extent ?, dimension 0 of the memref 128{{$}}}}
func.func private @f(memref<128x4xi32, #tcgen05.smem_layout<(?, 4) : (4, 1)>, 3>)

// -----

// expected-error-re @below {{{{^}}mode 0 of the layout has extent 1, dimension 0 of the memref 0{{$}}}}
func.func private @f(memref<0x4xi32, #tcgen05.smem_layout<(1, 4) : (4, 1)>, 3>)

// -----

// expected-error-re @below {{{{^}}mode 0 of the layout has extent past 64 bits, dimension 0 of the memref 9223372036854775807{{$}}}}
func.func private @f(memref<9223372036854775807xi32, #tcgen05.smem_layout<((2147483647, 2147483647, 2147483647)) : ((1, 1, 1))>, 3>)
