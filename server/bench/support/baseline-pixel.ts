// A baseline with node:http only: sends the same picture and does nothing else.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pixelGif } from '#features/measurement/tracking/routes.ts'

const headers = {
  'content-type': 'image/gif',
  'content-length': pixelGif.length,
  'cache-control': 'no-store',
}
const server = createServer((_request, response) => response.writeHead(200, headers).end(pixelGif))
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))
