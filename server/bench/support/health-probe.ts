// Requests /healthz every 10 ms from a separate process. On SIGTERM it prints how long each response took.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const url = `${process.argv[2]}/healthz`
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const durations: number[] = []

const requestHealth = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const request = get(url, { agent }, response => {
      response.resume().once('end', () => {
        durations.push(performance.now() - began)
        resolve()
      })
    })
    request.once('error', reject)
  })

let isStopping = false
process.once('SIGTERM', () => {
  isStopping = true
})
console.log(`http://probe:1`) // ready
while (!isStopping) {
  await requestHealth()
  await sleep(10)
}
console.log(`\n${JSON.stringify(durations)}`)
process.exit(0)
