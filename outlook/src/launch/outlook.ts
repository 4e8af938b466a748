// Functions of Office as promises. This folder runs in classic Outlook for Windows too: no window, no document, ECMAScript
// 2016 and its library, and functions of newer requirement sets can be missing.
import type { TroubleCode } from '../wire.ts'

export type MailItem = Office.MessageCompose

/** The reason of a rejected promise: the code for the report. */
export interface Trouble {
  readonly trouble: TroubleCode
}

export const failWith = (trouble: TroubleCode): Promise<never> => Promise.reject({ trouble })

/** Calls a function of Office. Rejects where Outlook lacks the function. */
export type Ask = <T>(call: (done: (result: Office.AsyncResult<T>) => void) => void) => Promise<T>

/** Once `isOpen` is false, nothing is called any more, and the promise stays open: the work stops there. */
export const askWhile =
  (isOpen: () => boolean): Ask =>
  call =>
    new Promise((resolve, reject) => {
      if (!isOpen()) return
      call(result => {
        if (`${result.status}` === 'succeeded') resolve(result.value)
        else reject(result.error)
      })
    })

declare const setTimeout: (run: () => void, milliseconds: number) => number
declare const clearTimeout: (timer: number) => void

export function afterwards<T>(milliseconds: number, run: () => T | Promise<T>): Promise<T> {
  return new Promise<void>(resolve => setTimeout(resolve, milliseconds)).then(run)
}

/** Rejects with `timeout` after this time. */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject({ trouble: 'timeout' }), milliseconds)
    promise.then(resolve, reject).then(() => clearTimeout(timer))
  })
}
