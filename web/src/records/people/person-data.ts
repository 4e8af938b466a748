// What the page of a person reads.
import { useMutation } from '@tanstack/react-query'
import { api, queryClient, readAgain } from '#api/client.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { versioned } from '#state/versioned.ts'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { peopleKey } from './people-data.ts'

export const personKey = (id: string) => [...peopleKey, id]

export const personQuery = (id: string) => ({
  queryKey: personKey(id),
  queryFn: () => versioned(api.teammates.get(id)),
})

/** Everything that shows the person is read again. */
export async function refreshPerson(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: peopleKey })
  await readAgain('emails')
}

/** A button that sends one request: it says that it is done, or why not. */
export function usePersonAction<Input = void>(
  send: (input: Input) => Promise<unknown>,
  done: string,
  failed: string,
  undo?: { readonly label: string; readonly send: (input: Input) => Promise<unknown> },
) {
  const messageOf = useMessageOf()
  return useMutation({
    mutationFn: send,
    onSuccess: (_, input) =>
      toast(done, {
        ...(undo && {
          action: {
            label: undo.label,
            onPress: () =>
              void undo.send(input).then(refreshPerson, error => toastError(failed, messageOf(error))),
          },
        }),
      }),
    onError: error => toastError(failed, messageOf(error)),
    onSettled: refreshPerson,
  })
}
