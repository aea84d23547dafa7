import { takePrefetched } from "./prefetch";
import { ApiError, ConnectionError } from "./error";
import { notifySessionEnd } from "./sign-out-signal";
import type { Requests, Responses } from "./description";

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Options {
  readonly query?: Query;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The `operationId` of an operation in the OpenAPI document; determines the types of the request and the response. */
type Operation = keyof Responses | keyof Requests;
type ResponseOf<O> = O extends keyof Responses ? Responses[O] : undefined;
/** The body of a request: an object that is sent as JSON, a text or a file. */
type RequestOf<O> = (O extends keyof Requests ? Requests[O] : never) | string | Blob;

const API = "/api/v3";
const MOST_TRIES = 4;
const LONGEST_WAIT_SECONDS = 15;

/** The server's native API: `api.get<"listJobs">("/jobs")`. Paths are relative to `/api/v3`, see docs/api.md. */
export const api = {
  get: <O extends keyof Responses>(path: string, options?: Options) =>
    json<ResponseOf<O>>("GET", path, undefined, options),
  post: <O extends Operation | "" = "">(path: string, body?: RequestOf<O>, options?: Options) =>
    json<ResponseOf<O>>("POST", path, body, options),
  put: <O extends Operation | "" = "">(path: string, body?: RequestOf<O>, options?: Options) =>
    json<ResponseOf<O>>("PUT", path, body, options),
  patch: <O extends Operation | "" = "">(path: string, body?: RequestOf<O>, options?: Options) =>
    json<ResponseOf<O>>("PATCH", path, body, options),
  delete: (path: string, options?: Options) => json<void>("DELETE", path, undefined, options),
  /** Returns the response itself, for bodies that are not JSON. Throws the same errors as the other methods. */
  raw: (method: string, path: string, body?: unknown, options?: Options) => send(method, path, body, options),
};

/** Builds a path from values, which are escaped: `` path`/jobs/${job}/tags/${tag}` `` */
export function path(strings: TemplateStringsArray, ...parts: (string | number)[]): string {
  return strings.reduce((whole, text, i) => whole + encodeURIComponent(String(parts[i - 1])) + text);
}

/** Returns the URL of an API resource, for links such as downloads. */
export function address(to: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return API + to + (search ? `?${search}` : "");
}

async function json<T>(method: string, to: string, body: unknown, options?: Options): Promise<T> {
  const answer = await send(method, to, body, options);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

/** Repeats requests that exceeded the rate limit (429). This is safe for every method because the server has not executed them. */
async function send(method: string, to: string, body: unknown, options: Options = {}): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await sendOnce(method, to, body, options);
    if (answer.ok) {
      return answer;
    }
    const seconds = Number(answer.headers.get("Retry-After") ?? "1");
    if (answer.status === 429 && tries < MOST_TRIES && seconds <= LONGEST_WAIT_SECONDS) {
      await pause(seconds * 1000, options.signal);
      continue;
    }
    const error = await errorOf(answer);
    if (error.code === "SIGN_IN_REQUIRED") {
      notifySessionEnd();
    }
    throw error;
  }
}

async function sendOnce(method: string, to: string, body: unknown, options: Options): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json", ...options.headers };
  if (method !== "GET") {
    headers["X-CSRF-Token"] = cookie("trainyard_csrf");
  }
  const plain = typeof body === "string" || body instanceof Blob;
  if (body !== undefined && !plain) {
    headers["Content-Type"] = "application/json";
  }
  try {
    const url = address(to, options.query);
    const prefetched = method === "GET" ? await takePrefetched(url) : undefined;
    if (prefetched?.ok) {
      return prefetched;
    }
    return await fetch(url, {
      method,
      headers,
      body: body === undefined ? null : plain ? body : JSON.stringify(body),
      credentials: "same-origin",
      signal: options.signal ?? null,
    });
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === "AbortError") {
      throw failure;
    }
    throw new ConnectionError(String(failure));
  }
}

async function errorOf(answer: Response): Promise<ApiError> {
  const requestId = answer.headers.get("X-Request-Id");
  try {
    return new ApiError(answer.status, await answer.json(), requestId);
  } catch {
    return new ApiError(answer.status, {}, requestId);
  }
}

/** Returns the value of a cookie of this site, or an empty string if the cookie is not set. Other sites cannot read the cookie. */
export function cookie(name: string): string {
  const found = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

function pause(millis: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, millis);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
