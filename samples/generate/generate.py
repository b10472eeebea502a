#!/usr/bin/env python3
"""Write the samples: small, real checkpoints from the frameworks named in requirements.txt. Needs no network and no GPU.

usage, in the folder `samples`:
    python3 -m venv ../.cache/samples && ../.cache/samples/bin/pip install -r generate/requirements.txt
    ../.cache/samples/bin/python generate/generate.py

Everything is written with relative paths from a working directory, because training arguments store the paths they are given.
Seeds are fixed: on the same versions and kind of processor only the run times in trainer_state.json differ.
"""

import argparse
import hashlib
import os
import pathlib
import random
import shutil
import sys
import tempfile

if os.environ.get("PYTHONHASHSEED") != "0":  # sets are written in hash order
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", CUDA_VISIBLE_DEVICES="")

import numpy
import torch
from peft import LoraConfig, get_peft_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, Trainer, TrainerCallback, TrainingArguments, set_seed

SEED = 20
SAMPLES = pathlib.Path(__file__).resolve().parents[1]
RUN = "llama-tiny-trainer"
SHARDED = "llama-tiny-sharded"
ADAPTER = "llama-tiny-lora"
LOOP = "handwritten-loop"
DAMAGED = "damaged-model"


def sentences(count: int) -> list[str]:
    """Made-up text, so that no one's corpus is in the repository."""
    rng = random.Random(SEED)
    things = "the cargo|a lighter|the hold|an anchor|the quay|a crane|the tally|one barrel|the ledger|a rope".split("|")
    deeds = "settles|rolls|waits for|lifts|counts|fills|weighs|passes|leaves|holds".split("|")
    ways = "slowly|at dawn|by number|with care|before the tide|in good order|twice|without a word".split("|")
    return [f"{rng.choice(things)} {rng.choice(deeds)} {rng.choice(things)} {rng.choice(ways)}, {rng.randint(1, 999)} times." for _ in range(count)]


def build_tokenizer(text: list[str]) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(text, trainers.BpeTrainer(
        vocab_size=512, special_tokens=["<s>", "</s>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="</s>", model_max_length=64)


def token_blocks(tokenizer: PreTrainedTokenizerFast, text: list[str]) -> list[dict]:
    tokens = [token for sentence in text for token in tokenizer(sentence)["input_ids"] + [tokenizer.eos_token_id]]
    return [{"input_ids": tokens[at:at + 64], "labels": tokens[at:at + 64]} for at in range(0, len(tokens) - 64, 64)]


def tiny_llama(vocabulary: int) -> LlamaForCausalLM:
    return LlamaForCausalLM(LlamaConfig(
        vocab_size=vocabulary, hidden_size=32, intermediate_size=96, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2,
        max_position_embeddings=64, bos_token_id=0, eos_token_id=1, tie_word_embeddings=True))


class Interruption(Exception):
    """Stands for whatever ends a job before its last step."""


class InterruptAtStep30(TrainerCallback):
    def on_save(self, args, state, control, **kwargs):
        if state.global_step == 30:
            raise Interruption


def write_trainer_run() -> None:
    """A Trainer run (AdamW, cosine schedule, bf16 autocast) that ended at half of its 60 steps; the last two checkpoints are kept."""
    text = sentences(2000)
    tokenizer = build_tokenizer(text)
    set_seed(SEED)
    arguments = TrainingArguments(
        output_dir=RUN, max_steps=60, save_steps=10, save_total_limit=2, logging_steps=5, per_device_train_batch_size=8,
        gradient_accumulation_steps=2, learning_rate=1e-3, weight_decay=0.1, adam_beta2=0.95, lr_scheduler_type="cosine", warmup_steps=5,
        optim="adamw_torch", bf16=True, use_cpu=True, seed=SEED, data_seed=SEED, report_to=[], disable_tqdm=True,
        include_num_input_tokens_seen="all", dataloader_num_workers=0, dataloader_pin_memory=False)
    trainer = Trainer(
        model=tiny_llama(len(tokenizer)), args=arguments, train_dataset=token_blocks(tokenizer, text), processing_class=tokenizer,
        callbacks=[InterruptAtStep30()])
    try:
        trainer.train()
    except Interruption:
        pass


def write_sharded_model() -> None:
    """The trained model in bf16, cut into shards with an index, as models are published."""
    model = LlamaForCausalLM.from_pretrained(f"{RUN}/checkpoint-30", dtype=torch.bfloat16)
    model.save_pretrained(SHARDED, max_shard_size="50KB")
    PreTrainedTokenizerFast.from_pretrained(f"{RUN}/checkpoint-30").save_pretrained(SHARDED)


def write_adapter() -> None:
    """A LoRA adapter for the model above, after a few steps."""
    set_seed(SEED)
    model = get_peft_model(
        LlamaForCausalLM.from_pretrained(f"{RUN}/checkpoint-30"),
        LoraConfig(r=4, lora_alpha=8, lora_dropout=0.0, target_modules=["q_proj", "v_proj", "down_proj"], task_type="CAUSAL_LM"))
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    tokens = torch.arange(64).reshape(1, 64) % 512
    for _ in range(3):
        model(input_ids=tokens, labels=tokens).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(ADAPTER)
    pathlib.Path(ADAPTER, "README.md").unlink(missing_ok=True)  # an empty model card


def write_handwritten_loop() -> None:
    """What a training loop without a framework keeps in one file: half-precision weights, float32 masters, Adam, EMA, scaler, RNG."""
    set_seed(SEED)
    args = argparse.Namespace(data="corpus/tokens.bin", out="out", width=48, lr=6e-4, warmup=100, epochs=12, ema_decay=0.999, amp=True, seed=SEED)
    master = torch.nn.Sequential(
        torch.nn.Embedding(128, args.width), torch.nn.Linear(args.width, 2 * args.width), torch.nn.GELU(),
        torch.nn.Linear(2 * args.width, args.width), torch.nn.LayerNorm(args.width), torch.nn.Linear(args.width, 128))
    ema = torch.optim.swa_utils.AveragedModel(master, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(args.ema_decay))
    optimizer = torch.optim.AdamW(master.parameters(), lr=args.lr, betas=(0.9, 0.95), weight_decay=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=1000, eta_min=6e-5)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**14)
    tokens = torch.randint(0, 128, (16, 33))
    for _ in range(25):
        loss = torch.nn.functional.cross_entropy(master(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        scheduler.step()
        ema.update_parameters(master)
    os.makedirs(LOOP)
    torch.save({
        "model": {name: tensor.to(torch.float16) for name, tensor in master.state_dict().items()},
        "master_params": dict(master.named_parameters()),
        "optimizer": optimizer.state_dict(),
        "ema": ema.state_dict(),
        "scaler": scaler.state_dict(),
        "scheduler": scheduler.state_dict(),
        "epoch": 3,
        "step": 25,
        "best_loss": round(loss.item(), 4),
        "args": args,
        "rng": {"torch": torch.get_rng_state(), "numpy": numpy.random.get_state(), "python": random.getstate()},
    }, f"{LOOP}/last.pt")


def write_damaged_model() -> None:
    """A sharded model after a bad day: one shard gone, one cut short, one still a Git LFS pointer."""
    model = LlamaForCausalLM.from_pretrained(f"{RUN}/checkpoint-30", dtype=torch.float16)
    model.save_pretrained(DAMAGED, max_shard_size="35KB")
    shards = sorted(pathlib.Path(DAMAGED).glob("model-*.safetensors"))
    assert len(shards) >= 4, shards
    shards[1].unlink()
    whole = shards[2].read_bytes()
    shards[2].write_bytes(whole[:len(whole) * 2 // 3])
    whole = shards[3].read_bytes()
    shards[3].write_text(f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(whole).hexdigest()}\nsize {len(whole)}\n")


def main() -> None:
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        write_trainer_run()
        write_sharded_model()
        write_adapter()
        write_handwritten_loop()
        write_damaged_model()
        for folder in (RUN, SHARDED, ADAPTER, LOOP, DAMAGED):
            shutil.rmtree(SAMPLES / folder, ignore_errors=True)
            shutil.copytree(folder, SAMPLES / folder)
        os.chdir(SAMPLES)
        for folder in (RUN, SHARDED, ADAPTER, LOOP, DAMAGED):
            for path in (SAMPLES / folder).rglob("*.*"):
                path.chmod(0o755 if path.is_dir() else 0o644)  # transformers writes some files for the owner alone


if __name__ == "__main__":
    main()
