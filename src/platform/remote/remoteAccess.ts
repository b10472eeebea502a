import type { AzureAddress, BucketAddress } from '../../core/files/remote/remoteAddress.js';
import type { HttpSession } from './httpSession.js';
import type { AzureAccess } from './stores/azureRequest.js';
import type { GoogleAccess } from './stores/googleStore.js';
import type { HubAccess } from './stores/hubStore.js';
import type { S3Access } from './stores/s3Store.js';

/** How stores are reached and who asks, as the machine or the editor has it. What is asked for over the network goes by the session. */
export interface RemoteAccess {
  hub(): Promise<HubAccess>;
  /** @throws FormatError `io` for settings that cannot be used */
  s3(address: BucketAddress, session: HttpSession): Promise<S3Access>;
  /** @throws FormatError as `s3` */
  google(address: BucketAddress, session: HttpSession): Promise<GoogleAccess>;
  /** @throws FormatError as `s3`, and where no account is known */
  azure(address: AzureAddress, session: HttpSession): Promise<AzureAccess>;
}
