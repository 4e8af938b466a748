// A change that is one request: then the pages of signatures read again, and a toast says that it is done.
import { useMutation } from '@tanstack/react-query'
import { useMessageOf } from '../../api/error-texts.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { refreshSignatures } from './signature-data.ts'

interface ActionOptions<Input, Result> {
  readonly run: (input: Input) => Promise<Result>
  /** The text of the toast; none without it. */
  readonly done?: (result: Result, input: Input) => string | undefined
  /** Before the pages read again: a page whose signature is gone is left here. */
  readonly after?: (result: Result, input: Input) => unknown
}

export function useSignatureAction<Input = void, Result = unknown>({
  run,
  done,
  after,
}: ActionOptions<Input, Result>) {
  const messageOf = useMessageOf()
  return useMutation<Result, unknown, Input>({
    mutationFn: run,
    onSuccess: async (result, input) => {
      const text = done?.(result, input)
      if (text !== undefined) toast(text)
      await after?.(result, input)
      await refreshSignatures()
    },
    onError: error => toastError(messageOf(error)),
  })
}
