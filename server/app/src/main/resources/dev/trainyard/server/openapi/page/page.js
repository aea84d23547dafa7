"use strict";

// Shows the description that the address names. Whatever is tried goes to this server, signed by a
// token that was pasted under "Authorize" or by the cookie of whoever is signed in here.
(() => {
  const openPai = new URLSearchParams(location.search).get("api") === "openpai";
  const description = openPai ? "/api/v3/openapi/openpai" : "/api/v3/openapi";

  const shown = document.querySelector(`[data-api="${openPai ? "openpai" : "v3"}"]`);
  shown.setAttribute("aria-current", "page");
  document.getElementById("file").href = `${description}.yaml`;

  const cookie = (name) =>
    document.cookie
      .split("; ")
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1))[0];

  SwaggerUIBundle({
    url: `${description}.json`,
    dom_id: "#description",
    deepLinking: true,
    docExpansion: "none",
    filter: true,
    showExtensions: true,
    tryItOutEnabled: false,
    validatorUrl: null,
    requestInterceptor: (request) => {
      const csrf = cookie("trainyard_csrf");
      if (csrf && new URL(request.url, location.href).origin === location.origin) {
        request.headers["X-CSRF-Token"] = csrf;
      }
      return request;
    },
  });
})();
