// Uploads with progress: `fetch` cannot tell how much of a body is sent, `XMLHttpRequest` can.
import { Signoff } from '@signoff/sdk'
import { chosenWorkspace } from './client.ts'

/** From 0 to 1. */
type OnProgress = (part: number) => void

const headersIn = (text: string): Headers =>
  new Headers(
    text
      .trim()
      .split(/\r?\n/)
      .map(
        line =>
          [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as [string, string],
      )
      .filter(([name]) => name !== ''),
  )

const sendWithProgress =
  (onProgress: OnProgress): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'GET', String(input))
      request.responseType = 'arraybuffer'
      new Headers(init.headers).forEach((value, name) => {
        request.setRequestHeader(name, value)
      })
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
      request.onload = () => {
        const { status } = request
        const body = status === 204 || status === 304 ? null : (request.response as ArrayBuffer)
        resolve(new Response(body, { status, headers: headersIn(request.getAllResponseHeaders()) }))
      }
      request.onerror = () => reject(new TypeError('The service cannot be reached.'))
      request.onabort = () => reject(init.signal?.reason ?? new DOMException('', 'AbortError'))
      init.signal?.addEventListener('abort', () => request.abort())
      request.send((init.body ?? null) as string | null)
    })

/** A client for one upload. Large files take long on slow lines, so it waits for 5 minutes. */
export const uploadClient = (onProgress: OnProgress): Signoff =>
  new Signoff({
    url: '/',
    workspace: chosenWorkspace(),
    fetch: sendWithProgress(onProgress),
    timeoutMs: 300_000,
  })
