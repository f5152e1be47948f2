"""The readers of SASS that other tests rely on, on what nvdisasm printed of sm_100a code."""

from __future__ import annotations

from sass_text import copies, copies_in_loops

STRAIGHT = """\
.text.k:
.L_x_0:
        /*04a0*/                   ELECT P1, URZ, PT ;
        /*04c0*/              @!P1 BRA `(.L_x_1) ;
        /*04d0*/                   UTCCP.T.S.128dp128bit tmem[UR8], gdesc[UR4] ;
        /*04e0*/                   UTCCP.T.S.2CTA.4x32dp128bit tmem[UR8+0x4], gdesc[UR4] ;
        /*04f0*/               @P0 BRA `(.L_x_0) ;
.L_x_1:
"""
LOOP = """\
.L_x_0:
        /*0070*/               @P0 ELECT P1, URZ, PT ;
        /*0080*/                   @UP0 UTCCP.T.S tmem[UR4], gdesc[UR6] ;
        /*0090*/               @P1 PLOP3.LUT P0, PT, P1, PT, PT, 0x8, 0x80 ;
        /*00b0*/               @P0 BRA.U.ANY `(.L_x_0) ;
        /*00e0*/                   UTCCP.T.S.4dp256bit tmem[UR4], gdesc[UR6] ;
"""


def test_copies_are_found_with_their_forms():
    assert copies(STRAIGHT) == [".T.S.128dp128bit", ".T.S.2CTA.4x32dp128bit"]


def test_straight_line_copies_are_in_no_loop():
    assert copies_in_loops(STRAIGHT) == []


def test_a_copy_between_a_label_and_its_bra_u_any_is_in_a_loop():
    assert copies(LOOP) == [".T.S", ".T.S.4dp256bit"]
    assert copies_in_loops(LOOP) == [".T.S"]
