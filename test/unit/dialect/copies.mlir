// Copies in the surroundings that upstream's passes work on: loops, calls, subviews, globals,
// stores, dead views. test_dialect_upstream_passes.py runs every pass of mlir-opt over it.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#sf = #tcgen05.tmem_layout<(4, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>
#half = #tcgen05.tmem_layout<((2, 32), 4) : ((64@lane, 1@lane), 1@col), replicas = (2) : (32@lane), offset = (0@lane, 16@col)>
#swizzled = #tcgen05.smem_layout<(128, 8) : (32, 1), offset = 8, swizzle = 3>

module {
  memref.global "private" @buffer : memref<3x4x32x4xi32, 3> = uninitialized {alignment = 1024}

  func.func private @callee(%taddr: i32, %src: memref<128x4xi32, 3>) {
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    tcgen05.cp <shape_128x128b> %t, %src descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
    return
  }

  func.func @loop(%taddr: i32, %stages: index, %value: i32, %p: i1) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %base = arith.constant 16 : i32
    %buffer = memref.get_global @buffer : memref<3x4x32x4xi32, 3>
    %sf = tcgen05.view %taddr : i32 to memref<4x32x4xi32, #sf, 6>
    %dead = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    scf.for %i = %c0 to %stages step %c1 {
      memref.store %value, %buffer[%i, %c0, %c0, %c0] : memref<3x4x32x4xi32, 3>
      tcgen05.cp <shape_32x128b> %sf, %buffer[%i] multicast(<warpx4>) descriptor(<ldo = 16, sdo = 128>) predicate(%p)
          : memref<4x32x4xi32, #sf, 6>, memref<3x4x32x4xi32, 3>
      tcgen05.cp <shape_32x128b> %sf, %buffer[%i] multicast(<warpx4>) descriptor(<ldo = 16, sdo = 128>) predicate(%p)
          : memref<4x32x4xi32, #sf, 6>, memref<3x4x32x4xi32, 3>
      %again = tcgen05.view %taddr : i32 to memref<4x32x4xi32, #sf, 6>
      tcgen05.cp <shape_32x128b> %again, %buffer[%i] multicast(<warpx4>)
          : memref<4x32x4xi32, #sf, 6>, memref<3x4x32x4xi32, 3>
    }
    %flat = memref.collapse_shape %buffer [[0, 1, 2], [3]] : memref<3x4x32x4xi32, 3> into memref<384x4xi32, 3>
    %part = memref.subview %flat[128, 0] [64, 4] [1, 1] : memref<384x4xi32, 3> to memref<64x4xi32, strided<[4, 1], offset: 512>, 3>
    %half = tcgen05.view %taddr : i32 to memref<64x4xi32, #half, 6>
    tcgen05.cp <shape_64x128b> %half, %part multicast(<warpx2_01_23>) cta_group(<cta_2>) src_format(<b4x16_p64>)
        : memref<64x4xi32, #half, 6>, memref<64x4xi32, strided<[4, 1], offset: 512>, 3>
    %cast = memref.cast %flat : memref<384x4xi32, 3> to memref<?x4xi32, 3>
    %swizzled = tcgen05.view %cast alignment(1024) : memref<?x4xi32, 3> to memref<128x8xi32, #swizzled, 3>
    %wide_address = arith.addi %taddr, %base : i32
    %wide = tcgen05.view %wide_address : i32 to memref<128x8xi32, #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>, 6>
    tcgen05.cp <shape_128x256b> %wide, %swizzled
        : memref<128x8xi32, #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>, 6>, memref<128x8xi32, #swizzled, 3>
    %tile_src = memref.subview %flat[0, 0] [128, 4] [1, 1] : memref<384x4xi32, 3> to memref<128x4xi32, strided<[4, 1]>, 3>
    %tile_plain = memref.cast %tile_src : memref<128x4xi32, strided<[4, 1]>, 3> to memref<128x4xi32, 3>
    func.call @callee(%taddr, %tile_plain) : (i32, memref<128x4xi32, 3>) -> ()
    %a = tcgen05.address %sf[%c1] : memref<4x32x4xi32, #sf, 6> -> i32
    return %a : i32
  }
}
