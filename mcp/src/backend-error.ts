/** A refusal with an error code of JSON-RPC. */
export class BackendError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const invalidParams = (message: string): BackendError => new BackendError(-32602, message)
export const internalFailure = (message: string): BackendError => new BackendError(-32603, message)
