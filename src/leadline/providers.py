"""Who serves language models or searches the web, and the environment variables each of them has made its own.

A key that stands in such a variable belongs to that provider and is sent nowhere else.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Provider:
    """`keys` are its variables for a key, `address` the one for where it is; `extra` brings its library.

    `own` providers have no address of their own: somebody runs them, and `base_url` says where. `needs` is a variable
    that a provider's library reads by itself, and without which it may refuse.
    """

    keys: tuple[str, ...] = ()
    address: str = ""
    needs: str = ""
    own: bool = False
    keyless: bool = False
    extra: str = "models"


@dataclass(frozen=True, slots=True)
class SearchService:
    """Who searches the web: `key` is the variable for its key, `address` where it is. `own` ones somebody runs; those
    without a `key` need none."""

    address: str = ""
    key: str = ""
    own: bool = False


PROVIDERS: Mapping[str, Provider] = {
    "alibaba": Provider(("ALIBABA_API_KEY", "DASHSCOPE_API_KEY")),
    "anthropic": Provider(("ANTHROPIC_API_KEY",), "ANTHROPIC_BASE_URL", extra="anthropic"),
    "azure": Provider(("AZURE_OPENAI_API_KEY",), "AZURE_OPENAI_ENDPOINT", "OPENAI_API_VERSION", own=True),
    "bedrock": Provider(
        ("AWS_BEARER_TOKEN_BEDROCK",), needs="AWS_DEFAULT_REGION", keyless=True, extra="bedrock"
    ),
    "cerebras": Provider(("CEREBRAS_API_KEY",)),
    "deepseek": Provider(("DEEPSEEK_API_KEY",)),
    "fireworks": Provider(("FIREWORKS_API_KEY",)),
    "google": Provider(("GOOGLE_API_KEY", "GEMINI_API_KEY"), extra="google"),
    "groq": Provider(("GROQ_API_KEY",), "GROQ_BASE_URL", extra="groq"),
    "litellm": Provider(("LITELLM_API_KEY",), own=True, keyless=True),
    "mistral": Provider(("MISTRAL_API_KEY",), extra="mistral"),
    "moonshotai": Provider(("MOONSHOTAI_API_KEY", "MOONSHOT_API_KEY"), "MOONSHOTAI_BASE_URL"),
    "nebius": Provider(("NEBIUS_API_KEY",)),
    "ollama": Provider(("OLLAMA_API_KEY",), "OLLAMA_BASE_URL", own=True, keyless=True),
    "openai": Provider(("OPENAI_API_KEY",), "OPENAI_BASE_URL", own=True),
    "openrouter": Provider(("OPENROUTER_API_KEY",)),
    "sambanova": Provider(("SAMBANOVA_API_KEY",), "SAMBANOVA_BASE_URL"),
    "together": Provider(("TOGETHER_API_KEY",)),
    "vercel": Provider(("VERCEL_AI_GATEWAY_API_KEY",)),
    "vllm": Provider(("VLLM_API_KEY",), "VLLM_BASE_URL", own=True, keyless=True),
    "zai": Provider(("ZAI_API_KEY",)),
}
"""By the name that stands before the colon in `model = "PROVIDER:NAME"`."""

ALIASES: Mapping[str, str] = {
    "dashscope": "alibaba",
    "gemini": "google",
    "google-gla": "google",
    "moonshot": "moonshotai",
    "openai-chat": "openai",
    "qwen": "alibaba",
}
"""Other names people give them."""

EMBEDDINGS: Mapping[str, str] = {
    "alibaba": "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    "fireworks": "https://api.fireworks.ai/inference/v1",
    "google": "https://generativelanguage.googleapis.com/v1beta/openai",
    "mistral": "https://api.mistral.ai/v1",
    "nebius": "https://api.studio.nebius.com/v1",
    "ollama": "http://localhost:11434/v1",
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "together": "https://api.together.xyz/v1",
}
"""Where those are that have an OpenAI-compatible `/embeddings`."""

SEARCHES: Mapping[str, SearchService] = {
    "tavily": SearchService("https://api.tavily.com", "TAVILY_API_KEY"),
    "brave": SearchService("https://api.search.brave.com", "BRAVE_API_KEY"),
    "serper": SearchService("https://google.serper.dev", "SERPER_API_KEY"),
    "searxng": SearchService(own=True),
    "duckduckgo": SearchService("https://html.duckduckgo.com"),
}
"""Who searches the web, in the order in which they are taken where none is named."""
