/** Source code, what compilers make of it, pages and pictures, which are most of a repository: no format and no layout has such names. */
export const projectName =
  /\.(pyi?|pyc|[cm]?jsx?|[cm]?tsx?|map|c|h|cc|cpp|cxx|hpp|hh|cuh?|java|class|jar|kt|rs|go|rb|php|swift|scala|lua|sh|cmake|proto|css|scss|less|html?|md|mdx|rst|ya?ml|toml|cfg|png|jpe?g|gif|svg|webp|ico|bmp|mp3|mp4|wav|woff2?|ttf|eot|pdf|sql|vue|svelte|m4|am|po|o|obj|a|so|dylib|dll|exe|wasm)$/i;
