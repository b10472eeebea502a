/** What `torch.load(weights_only=True)` takes from a pickle, as transformers opens torch files (torch/_weights_only_unpickler.py: _get_allowed_globals, 2.15). */
const allowed =
  /^(?:_codecs\.encode|collections\.(?:Counter|OrderedDict)|(?:__builtin__|builtins)\.(?:bytearray|complex|set)|torch\.(?:(?:cuda\.)?(?:sparse\.)?(?:BFloat16|Bool|Byte|Char|Complex\w+|Double|Float|Half|Int|Long|Q\w+|Short)(?:Storage|Tensor)|Size|Tensor|device|_tensor\._rebuild_from_type_v2|_utils\._rebuild_\w+|nn\.parameter\.Parameter|serialization\._get_layout|storage\.(?:Typed|Untyped)Storage|per_(?:channel|tensor)_\w+|q?u?int\d+(?:x\d+)?|bool|b?complex\d+|b?float\d\w*|bits\w+))$/;

/** True for a global, by its full name, that torch takes without asking for it. */
export function isTakenByWeightsOnly(fullName: string): boolean {
  return allowed.test(fullName);
}
