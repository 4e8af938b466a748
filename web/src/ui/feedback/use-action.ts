// A change that is one request: a toast says that it is done or why not, and the pages read again.
import { useMutation } from '@tanstack/react-query'
import { useMessageOf } from '#state/error-messages.ts'
import { toast, toastError } from './toast.tsx'

export interface ActionOptions<Input, Result> {
  readonly run: (input: Input) => Promise<Result>
  /** The text of the toast; none without it. */
  readonly done?: (result: Result, input: Input) => string | undefined
  /** Before the pages read again: a page whose resource is gone is left here. */
  readonly after?: (result: Result, input: Input) => unknown
  /** The caller shows the error itself. */
  readonly showsError?: boolean
}

export function useAction<Input = void, Result = unknown>(
  refresh: () => Promise<unknown>,
  { run, done, after, showsError = false }: ActionOptions<Input, Result>,
) {
  const messageOf = useMessageOf()
  return useMutation<Result, unknown, Input>({
    mutationFn: run,
    onSuccess: async (result, input) => {
      const text = done?.(result, input)
      if (text !== undefined) toast(text)
      await after?.(result, input)
      await refresh()
    },
    onError: error => {
      if (!showsError) toastError(messageOf(error))
      void refresh()
    },
  })
}
