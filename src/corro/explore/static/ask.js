// Where the page's requests go: to the server of `corro explore`. The static site has another file of this name.
globalThis.ask = (path, options) => fetch(path, options);
