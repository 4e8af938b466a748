// Asks for /healthz every 10 ms, in a process of its own, and prints how long each answer took when it is told to stop.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const url = `${process.argv[2]}/healthz`
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const took: number[] = []

const ask = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const request = get(url, { agent }, response => {
      response.resume().once('end', () => {
        took.push(performance.now() - began)
        resolve()
      })
    })
    request.once('error', reject)
  })

let isOver = false
process.once('SIGTERM', () => {
  isOver = true
})
console.log(`http://probe:1`) // ready
while (!isOver) {
  await ask()
  await sleep(10)
}
console.log(`\n${JSON.stringify(took)}`)
process.exit(0)
