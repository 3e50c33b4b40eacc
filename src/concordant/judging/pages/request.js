// Requests to the server: the token goes in a header, so no other site can send it.

/** A function that sends a request and gives the response, or throws the server's words. */
export function requests(token) {
  return async (path, body) => {
    const options = { headers: { authorization: `Bearer ${token}` }, cache: "no-store" };
    if (body) {
      Object.assign(options, { method: "POST", body: JSON.stringify(body) });
      options.headers["content-type"] = "application/json";
    }
    const response = await fetch(path, options);
    if (response.ok) return response;
    const said = await response.json().catch(() => ({}));
    throw Object.assign(new Error(said.words ?? `The server answered ${response.status}.`), { status: response.status });
  };
}
