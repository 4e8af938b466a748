// One decision: a request, a message, and the lists and numbers anew.
import { useMutation } from '@tanstack/react-query'
import { readAgain } from '#api/client.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { toast, toastError } from '#ui/feedback/toast.tsx'

export type DecidedResource = 'profile_changes' | 'publication_requests'

/** Resources that a decision changes, its own included. */
const affected: Readonly<Record<DecidedResource, readonly string[]>> = {
  profile_changes: ['profile_changes', 'teammates'],
  publication_requests: ['publication_requests', 'signatures', 'installations'],
}

export function refreshAfter(resource: DecidedResource): void {
  void readAgain(...affected[resource])
}

export function useDecision<Input>(
  resource: DecidedResource,
  run: (input: Input) => Promise<unknown>,
  done: string,
  onError?: (error: unknown) => boolean,
) {
  const messageOf = useMessageOf()
  return useMutation({
    mutationFn: run,
    onSuccess: () => toast(done),
    onError: error => {
      if (!onError?.(error)) toastError(messageOf(error))
    },
    // After a failure too: another person may have decided meanwhile.
    onSettled: () => refreshAfter(resource),
  })
}
