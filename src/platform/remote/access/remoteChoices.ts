/** What a user chose of how stores are asked. */
export interface RemoteChoices {
  /** Of the shared files of AWS; null for the one that the environment names. */
  profile: string | null;
  /** Requests without a signature, whatever keys there are. */
  isAnonymous: boolean;
  requesterPays: boolean;
}

export const noChoices: RemoteChoices = { profile: null, isAnonymous: false, requesterPays: false };
