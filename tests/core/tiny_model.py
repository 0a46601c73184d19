"""A sentence-transformers folder with two small layers of random weights, made in a second."""

import string
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertModel,
    PreTrainedTokenizerFast,
)

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_WIDTH = 32


def make_tiny_model(folder: Path) -> Path:
    """Write the model into `folder`; each letter and digit is a token."""
    base, model = folder / "base", folder / "model"
    tokenizer = _tokenizer()
    tokenizer.save_pretrained(base)
    torch.manual_seed(0)
    BertModel(_config(tokenizer)).save_pretrained(base)
    transformer = Transformer(str(base), max_seq_length=64)
    SentenceTransformer(modules=[transformer, Pooling(_WIDTH)], device="cpu").save(str(model))
    return model


def make_tiny_cross_encoder(folder: Path, labels: int = 1) -> Path:
    """Write a cross-encoder into `folder`, of the same size, that gives `labels` numbers a pair."""
    tokenizer = _tokenizer()
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = _config(tokenizer, num_labels=labels)
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def _config(tokenizer: PreTrainedTokenizerFast, **more: int) -> BertConfig:
    return BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=_WIDTH,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        **more,
    )


def _tokenizer() -> PreTrainedTokenizerFast:
    signs = string.ascii_lowercase + string.digits + string.punctuation
    tokens = (*_SPECIAL, *signs, *(f"##{sign}" for sign in signs))
    numbers = {token: number for number, token in enumerate(tokens)}
    pieces = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    pieces.normalizer = normalizers.Lowercase()
    pieces.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [(name, numbers[name]) for name in ("[CLS]", "[SEP]")]
    pieces.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=ends
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=pieces,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=128,
    )
