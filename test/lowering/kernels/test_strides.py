"""Contiguity is proven from recorded strides through layout ops, never guessed."""

from contracts import Case

from sparse_attn.lowering.kernels.strides import contiguous

TEXT = """
func.func @f(%a: !torch.vtensor<[2,3,4],f32> {sparse_attn.strides = "12, 4, 1"}, %b: !torch.vtensor<[2,3,4],f32>,
             %c: !torch.vtensor<[2,3,4],f32> {sparse_attn.strides = "24, 4, 1"}, %d: tensor<2x3x4xf32>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %three = torch.constant.int 3
  %order = torch.prim.ListConstruct %one, %zero, %two : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %p = torch.aten.permute %a, %order : !torch.vtensor<[2,3,4],f32>, !torch.list<int> -> !torch.vtensor<[3,2,4],f32>
  %back = torch.aten.permute %p, %order : !torch.vtensor<[3,2,4],f32>, !torch.list<int> -> !torch.vtensor<[2,3,4],f32>
  %u = torch.aten.unsqueeze %a, %one : !torch.vtensor<[2,3,4],f32>, !torch.int -> !torch.vtensor<[2,1,3,4],f32>
  %s = torch.aten.select.int %a, %one, %zero : !torch.vtensor<[2,3,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[2,4],f32>
  %first = torch.aten.select.int %a, %zero, %one : !torch.vtensor<[2,3,4],f32>, !torch.int, !torch.int -> !torch.vtensor<[3,4],f32>
  %l = torch.aten.slice.Tensor %a, %two, %zero, %three, %one : !torch.vtensor<[2,3,4],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[2,3,3],f32>
  %relu = torch.aten.relu %a : !torch.vtensor<[2,3,4],f32> -> !torch.vtensor<[2,3,4],f32>
  %noted = torch.aten.relu %a {sparse_attn.strides = ["12, 4, 1"]} : !torch.vtensor<[2,3,4],f32> -> !torch.vtensor<[2,3,4],f32>
  %x = torch_c.to_builtin_tensor %a : !torch.vtensor<[2,3,4],f32> -> tensor<2x3x4xf32>
  return
}
"""  # noqa: E501

CONTIGUOUS = {"a": True, "b": False, "c": False, "d": True, "p": False, "back": True, "u": True, "s": False}
CONTIGUOUS |= {"first": True, "l": False, "relu": False, "noted": True, "x": True}


def test_each_value():
    case = Case(TEXT)
    tensors = [v for v in case.graph.values if v.dims is not None]
    assert {name: contiguous(v) for name, v in zip(CONTIGUOUS, tensors, strict=True)} == CONTIGUOUS
