// Corro in Python in WebAssembly: it answers what the server of `corro explore` answers, from files beside this one.
importScripts("pyodide/pyodide.js");

async function load() {
  const [pyodide, corro] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", self.location).href }),
    fetch("corro.zip").then((file) => file.arrayBuffer()),
  ]);
  pyodide.unpackArchive(corro, "zip", { extractDir: "/corro" });
  pyodide.runPython("import sys; sys.path.insert(0, '/corro')");
  const { answer } = pyodide.pyimport("corro.explore.site");
  postMessage({ loaded: true });
  return answer;
}

const loading = load();

self.onmessage = async ({ data: { number, path, body } }) => {
  try {
    const answer = await loading;
    const [status, text] = answer(path, body);
    postMessage({ number, status, text });
  } catch (error) {
    const deep = /call stack/.test(error.message); // a browser gives less of it than a terminal
    const message = deep ? "This is nested too deeply for a browser. Use: corro compile" : String(error.message);
    postMessage({ number, status: 500, text: JSON.stringify({ message }), failed: true });
  }
};
