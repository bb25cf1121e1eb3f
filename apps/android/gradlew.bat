@rem Run the Gradle that gradle\wrapper\gradle-wrapper.properties names: gradlew assembleDebug. Where it is not on this
@rem machine yet it is fetched first, from the address there. gradlew is the same for Linux and macOS.
@echo off
setlocal
set "HERE=%~dp0"
if not defined GRADLE_USER_HOME set "GRADLE_USER_HOME=%USERPROFILE%\.gradle"
for /f "usebackq tokens=1,* delims==" %%a in ("%HERE%gradle\wrapper\gradle-wrapper.properties") do (
  if "%%a"=="distributionUrl" set "ADDRESS=%%b"
  if "%%a"=="distributionSha256Sum" set "SUM=%%b"
)
set "ADDRESS=%ADDRESS:\=%"
for %%f in ("%ADDRESS%") do set "NAME=%%~nf"
set "PLACE=%GRADLE_USER_HOME%\wrapper\dists\%NAME%\azx"
set "GRADLE=%PLACE%\%NAME:-bin=%\bin\gradle.bat"
if exist "%GRADLE%" goto run
echo Fetching %ADDRESS% 1>&2
powershell -NoProfile -Command "$ErrorActionPreference = 'Stop'; $ProgressPreference = 'SilentlyContinue'; New-Item -ItemType Directory -Force $env:PLACE | Out-Null; $zip = Join-Path $env:PLACE 'part.zip'; Invoke-WebRequest -UseBasicParsing -Uri $env:ADDRESS -OutFile $zip; if ((Get-FileHash -Algorithm SHA256 $zip).Hash -ne $env:SUM) { Remove-Item $zip; throw 'It has another SHA-256 than gradle-wrapper.properties says.' }; Expand-Archive -Force -Path $zip -DestinationPath $env:PLACE; Remove-Item $zip"
if errorlevel 1 exit /b 1
:run
call "%GRADLE%" --project-dir "%HERE%." %*
exit /b %ERRORLEVEL%
