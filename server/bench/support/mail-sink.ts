// A next hop that accepts everything and keeps nothing, as fast as it can. Prints its port.
import { type AddressInfo, createServer } from 'node:net'

const end = Buffer.from('\r\n.\r\n')

const server = createServer(socket => {
  let isInData = false
  let tail = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.write('220 sink\r\n')
  const answers: Readonly<Record<string, string>> = {
    EHLO: '250-sink\r\n250-8BITMIME\r\n250 SIZE 52428800\r\n',
    DATA: '354 go\r\n',
    QUIT: '221 bye\r\n',
  }
  socket.on('data', chunk => {
    if (isInData) {
      // The end can be split over two chunks.
      const last = Buffer.concat([tail, chunk.subarray(-end.length)]).subarray(-end.length)
      tail = last
      if (last.equals(end)) {
        isInData = false
        socket.write('250 accepted\r\n')
      }
      return
    }
    for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) {
      const verb = line.slice(0, 4).toUpperCase()
      isInData = verb === 'DATA'
      tail = Buffer.alloc(0)
      socket.write(answers[verb] ?? '250 ok\r\n')
    }
  })
})
server.listen(0, '127.0.0.1', () => console.log(`listens on port ${(server.address() as AddressInfo).port}`))
