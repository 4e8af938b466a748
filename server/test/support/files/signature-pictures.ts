// Stand-ins for the pictures of test signatures. The file name gives the size: `logo-150x40.png`.
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import sharp from 'sharp'
import { listenLocally } from '../listen.ts'

/** The host of the pictures of test signatures. */
export const picturesHost = 'https://pictures.example.com'

/** A picture in one colour. */
export function drawStandIn(path: string): Promise<Buffer> {
  const [, width = '40', height = '40'] = /-(\d+)x(\d+)\./.exec(path) ?? []
  const background = `#${hash('sha1', path, 'hex').slice(0, 6)}`
  const create = { width: Number(width) * 2, height: Number(height) * 2, channels: 3 as const, background }
  return sharp({ create }).png().toBuffer()
}

/** Serves them on this machine. Returns the address. */
export async function startPictures(): Promise<string> {
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'image/png')
    response.end(await drawStandIn(request.url ?? ''))
  })
  return listenLocally(server)
}
