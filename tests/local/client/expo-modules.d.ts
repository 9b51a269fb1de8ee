/** What docs/guide/apps.md uses of modules that only an app installs, written down from their documentation. */

declare module "react-native-get-random-values" {}

declare module "react-native" {
  export const AppState: {
    addEventListener(event: "change", listener: (state: "active" | "background" | "inactive") => void): unknown;
  };
}

declare module "@react-native-async-storage/async-storage" {
  const AsyncStorage: {
    getItem(key: string): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
  };
  export default AsyncStorage;
}

declare module "@react-native-google-signin/google-signin" {
  type SignIn =
    | { readonly type: "success"; readonly data: { readonly idToken: string | null } }
    | { readonly type: "cancelled"; readonly data: null };
  export const GoogleSignin: {
    configure(options: { webClientId?: string; iosClientId?: string }): void;
    hasPlayServices(): Promise<boolean>;
    signIn(): Promise<SignIn>;
  };
}

declare module "expo-apple-authentication" {
  export enum AppleAuthenticationScope {
    FULL_NAME = 0,
    EMAIL = 1,
  }
  export function signInAsync(options?: { requestedScopes?: AppleAuthenticationScope[]; nonce?: string }): Promise<{
    readonly identityToken: string | null;
    readonly fullName: { readonly givenName: string | null; readonly familyName: string | null } | null;
  }>;
}

declare module "expo-crypto" {
  export enum CryptoDigestAlgorithm {
    SHA256 = "SHA-256",
  }
  export function randomUUID(): string;
  export function digestStringAsync(algorithm: CryptoDigestAlgorithm, text: string): Promise<string>;
}

declare module "expo-linking" {
  export function parse(url: string): {
    readonly queryParams: Readonly<Record<string, string | string[] | undefined>> | null;
  };
  export function addEventListener(event: "url", listener: (event: { readonly url: string }) => void): unknown;
  export function getInitialURL(): Promise<string | null>;
}

declare module "expo-file-system/legacy" {
  export enum FileSystemUploadType {
    BINARY_CONTENT = 0,
  }
  export function uploadAsync(
    url: string,
    fileUri: string,
    options?: { httpMethod?: "PUT"; uploadType?: FileSystemUploadType; headers?: Record<string, string> },
  ): Promise<{ readonly status: number }>;
}

declare module "expo-image-picker" {
  export function launchCameraAsync(options?: { mediaTypes?: "images"[]; exif?: boolean }): Promise<{
    readonly assets:
      | readonly {
          readonly uri: string;
          readonly fileName?: string | null;
          readonly mimeType?: string;
          readonly fileSize?: number;
        }[]
      | null;
  }>;
}
