// RUN: tcgen05 compile %s --emit ptx -o - | FileCheck %s

// Sources at addresses that are known, so that PTX shows whole descriptors.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#near = #tcgen05.smem_layout<(128, 4) : (4, 1)>
#far = #tcgen05.smem_layout<((16, 8), 4) : ((256, 4), 1)>

gpu.module @m {
  // A01: byte 0x400, ldo 16, sdo 128: 0x0000400800010040 and no other bit.
  // CHECK-LABEL: .entry a01(
  // CHECK:         mov.b64 [[DESC:%rd[0-9]+]], 70403103981632;
  // CHECK-NEXT:    tcgen05.cp.cta_group::1.128x128b {{.*}}, [[DESC]];
  gpu.func @a01(%taddr: i32) kernel {
    %address = arith.constant 0x400 : i64
    %pointer = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %s = tcgen05.view %pointer alignment(16) : !llvm.ptr<3> to memref<128x4xi32, #near, #wg>
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>)
        : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #near, #wg>
    gpu.return
  }

  // B04: byte 0x4000 is 0x400 units and sdo 1024 is 64 units: 0x0000404000010400.
  // CHECK-LABEL: .entry b04(
  // CHECK:         mov.b64 [[DESC:%rd[0-9]+]], 70643622151168;
  // CHECK-NEXT:    tcgen05.cp.cta_group::1.128x128b {{.*}}, [[DESC]];
  gpu.func @b04(%taddr: i32) kernel {
    %address = arith.constant 0x4000 : i64
    %pointer = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %s = tcgen05.view %pointer alignment(16) : !llvm.ptr<3> to memref<128x4xi32, #far, #wg>
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 1024>)
        : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #far, #wg>
    gpu.return
  }

  // In a cluster the CTA's rank lies in bits 24 and up of a shared address: none of it may reach
  // the descriptor. 0x3000400, as A01.
  // CHECK-LABEL: .entry in_a_cluster(
  // CHECK:         mov.b64 [[DESC:%rd[0-9]+]], 70403103981632;
  // CHECK-NEXT:    tcgen05.cp.cta_group::1.128x128b {{.*}}, [[DESC]];
  gpu.func @in_a_cluster(%taddr: i32) kernel {
    %address = arith.constant 0x3000400 : i64
    %pointer = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %s = tcgen05.view %pointer alignment(16) : !llvm.ptr<3> to memref<128x4xi32, #near, #wg>
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>)
        : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #near, #wg>
    gpu.return
  }
}
