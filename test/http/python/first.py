"""Lists and calls every tool with the client of mcp 1.x; prints what it heard as JSON."""

import asyncio
import json
import sys

from mcp import ClientSession, McpError
from mcp.client.streamable_http import streamablehttp_client


async def main(url: str, token: str, calls: list) -> None:
    async with streamablehttp_client(url, headers={"authorization": f"Bearer {token}"}) as (read, write, _):
        async with ClientSession(read, write) as session:
            hello = await session.initialize()
            tools = (await session.list_tools()).tools
            heard = []
            for name, arguments in calls:
                try:
                    result = await session.call_tool(name, arguments)
                    heard.append({"error": result.isError, "value": result.structuredContent})
                except McpError as refused:
                    heard.append({"code": refused.error.code})
            print(json.dumps({"revision": hello.protocolVersion, "tools": [tool.name for tool in tools], "heard": heard}))


asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])))
