"""A sentence-transformers folder with two small layers of random weights, made in a second."""

import string
from collections.abc import Sequence
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

from core.models.legible import PROBE
from core.text.tokens import tokens

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_WIDTH = 32


def make_tiny_model(folder: Path, texts: Sequence[str] = ()) -> Path:
    """Write the model into `folder`; each letter and digit is a token.

    With `texts` each of their words is one instead, whatever its script.
    """
    base, model = folder / "base", folder / "model"
    tokenizer = _tokenizer_of(texts) if texts else _tokenizer()
    tokenizer.save_pretrained(base)
    torch.manual_seed(0)
    bert = _bag_of_words(tokenizer) if texts else BertModel(_config(tokenizer))
    bert.save_pretrained(base)
    transformer = Transformer(str(base), max_seq_length=64)
    pooling = Pooling(bert.config.hidden_size)
    SentenceTransformer(modules=[transformer, pooling], device="cpu").save(str(model))
    return model


def _bag_of_words(tokenizer: PreTrainedTokenizerFast) -> BertModel:
    """Without layers and places, so that two texts are as near as they share words."""
    bert = BertModel(_config(tokenizer, hidden_size=8 * _WIDTH, num_hidden_layers=0))
    bert.embeddings.position_embeddings.weight.data.zero_()
    bert.embeddings.token_type_embeddings.weight.data.zero_()
    return bert


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
        num_attention_heads=2,
        intermediate_size=64,
        **{"hidden_size": _WIDTH, "num_hidden_layers": 2, **more},
    )


def _tokenizer() -> PreTrainedTokenizerFast:
    signs = string.ascii_lowercase + string.digits + string.punctuation
    tokens = (*_SPECIAL, *signs, *(f"##{sign}" for sign in signs))
    numbers = {token: number for number, token in enumerate(tokens)}
    pieces = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    pieces.normalizer = normalizers.Lowercase()
    pieces.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return _finished(pieces)


def _tokenizer_of(texts: Sequence[str]) -> PreTrainedTokenizerFast:
    """A unigram model, as the embedders for many languages have, of words and their letters."""
    words = {token.text for text in texts for token in tokens(text)}
    letters = {letter for word in (*words, PROBE) for letter in word} - words
    scores = dict.fromkeys(_SPECIAL, 0.0) | {"▁": -1.0}
    scores |= dict.fromkeys(sorted(words), -5.0) | dict.fromkeys(sorted(letters), -9.0)
    pieces = Tokenizer(models.Unigram(list(scores.items()), unk_id=_SPECIAL.index("[UNK]")))
    pieces.pre_tokenizer = pre_tokenizers.Metaspace()
    return _finished(pieces)


def _finished(pieces: Tokenizer) -> PreTrainedTokenizerFast:
    ends = [(name, pieces.token_to_id(name)) for name in ("[CLS]", "[SEP]")]
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
