// A proxy in front of a server that closes connections in the middle of an answer, or holds them there.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterFile } from '../after-file.ts'

export interface CuttingProxy {
  readonly url: string
  /** Bytes of answers after which a connection is cut. */
  budget: number
  /** End of a connection that has used its budget. */
  atEnd: 'cut' | 'hold'
  /** Connections that are held now. */
  held: number
}

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { protocol, hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    let left = proxy.budget
    let isHeld = false
    const upstream = connect(Number(port), hostname)
    upstream.on('data', data => {
      if (isHeld) return
      if (left > 0) client.write(data.subarray(0, Math.min(left, data.length)))
      left -= data.length
      if (left > 0) return
      if (proxy.atEnd === 'cut') return client.destroy()
      isHeld = true
      proxy.held++
    })
    client.on('data', data => upstream.write(data))
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterFile(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port: ownPort } = server.address() as { port: number }
  const proxy: CuttingProxy = {
    url: `${protocol}//127.0.0.1:${ownPort}`,
    budget: Number.POSITIVE_INFINITY,
    atEnd: 'cut',
    held: 0,
  }
  return proxy
}
